// The figures of a chart as a table, for people who read or copy them.

type Props = {
  label: string;
  head: readonly (string | number)[];
  rows: readonly (readonly (string | number)[])[];
  format: (value: number) => string;
};

export function FigureTable({ label, head, rows, format }: Props) {
  const sideOf = (at: number) => (at > 0 ? 'right' : undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="grid-scroll figure-table" tabIndex={0} aria-label={label}>
      <table className="grid">
        <thead>
          <tr>
            {head.map((cell, at) => (
              <th key={cell} scope="col" className={sideOf(at)}>
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row[0]}>
              {row.map((cell, at) => (
                <td key={head[at]} className={sideOf(at)}>
                  {typeof cell === 'number' ? format(cell) : cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
