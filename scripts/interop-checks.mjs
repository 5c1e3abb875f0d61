// Shared by the runs with other programs: checks that are counted and printed, waiting on conditions, and cleaning up at the end.
const allMs = 90_000;
const waitMs = 15_000;
const pollMs = 25;

const undo = [];
let failed = 0;
let passed = 0;

/** Runs at the end, the last one first. */
export function atEnd(step) {
  undo.push(step);
}

export function failures() {
  return failed;
}

export function check(what, isTrue, detail = '') {
  if (isTrue) passed++;
  else failed++;
  console.log(`${isTrue ? 'ok    ' : 'FAILED'} ${what}${detail === '' ? '' : ` (${detail})`}`);
  return isTrue;
}

/** Waits for the condition; if it never becomes true, the check fails without an exception. */
export async function expectSoon(what, condition, detail = () => '') {
  const end = Date.now() + waitMs;
  while (!(await condition()) && Date.now() < end) await new Promise(resolve => setTimeout(resolve, pollMs));
  return check(what, await condition(), detail());
}

async function cleanUp() {
  for (const step of undo.splice(0).reverse()) {
    try {
      await step();
    } catch (error) {
      console.error(`cleaning up: ${error.message}`);
    }
  }
}

/** Runs the checks within their time, cleans up, and exits with 0 if all passed. */
export async function runChecks(main) {
  const stopped = new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`not done within ${allMs / 1000} s`)), allMs).unref();
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => reject(new Error(`stopped by ${signal}`)));
  });
  try {
    await Promise.race([main(), stopped]);
  } catch (error) {
    failed++;
    console.error(error.message);
  }
  await cleanUp();
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
