// A new password with a strength meter in words; the server decides.
import { PasswordInput, type PasswordInputProps, Progress, Text } from '@mantine/core';
import { t } from '../text/language.ts';

const lengthMin = 10;

/** 0 to 3: length first, then variety; a long sentence is as good as a short random string. */
function strengthOf(password: string): number {
  if (password.length < lengthMin) return password.length === 0 ? 0 : 1;
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter(kind => kind.test(password)).length;
  const distinct = new Set(password).size;
  return distinct >= 8 && (password.length >= 16 || kinds >= 3) ? 3 : 2;
}

export function PasswordField(props: PasswordInputProps & { value?: string }) {
  const given = props.value ?? '';
  const strength = strengthOf(given);
  const word = [t.signUp.weak, t.signUp.weak, t.signUp.fair, t.signUp.strong][strength] ?? '';
  const colour = ['gray', 'red', 'orange', 'cini'][strength];
  return (
    <div>
      <PasswordInput autoComplete="new-password" description={t.signUp.passwordHint} {...props} />
      {given !== '' && (
        <>
          <Progress value={strength * 33.4} color={colour} size={4} mt={6} aria-hidden />
          <Text size="xs" c="dimmed" mt={2}>
            {t.signUp.strength(word)}
          </Text>
        </>
      )}
    </div>
  );
}

export const passwordProblem = (password: string): string | null =>
  password.length < lengthMin ? t.signUp.needPassword : null;
