/** One panel of a plot. */
export interface Panel {
  readonly title: string;
  readonly lines: readonly { readonly name: string; readonly values: readonly number[] }[];
}

/** The line that the plot is about. */
const subject = { name: 'learned', color: '#000', width: 2.5 };
const colors = [
  '#e69f00',
  '#56b4e9',
  '#009e73',
  '#f0e442',
  '#0072b2',
  '#cc79a7',
  '#8a5',
  '#d55e00',
  '#999',
  '#bbb',
];
const [width, height, gap, perRow] = [260, 180, 40, 3];

/** Draws panels of lines over time as an SVG document with a title for screen readers. The vertical axis of a panel reaches from 0 to its largest value. */
export function drawCurves(title: string, panels: readonly Panel[]): string {
  const names = [...new Set(panels.flatMap(({ lines }) => lines.map(({ name }) => name)))];
  const others = names.filter((name) => name !== subject.name);
  const color = (name: string) =>
    name === subject.name ? subject.color : (colors[others.indexOf(name) % colors.length] ?? '#999');
  const parts: string[] = [];
  for (const [index, { title: name, lines }] of panels.entries()) {
    const [x0, y0] = [
      gap + (index % perRow) * (width + gap),
      gap + Math.floor(index / perRow) * (height + gap),
    ];
    // Uniform choices dwarf the rest: lines that end far above the others leave the panel.
    const ends = lines.map(({ values }) => values.at(-1) ?? 0).sort((a, b) => a - b);
    const top = Math.max(0.05, Math.min(ends.at(-1) ?? 1, 2.5 * (ends[Math.floor(ends.length / 2)] ?? 1)));
    parts.push(`<rect x="${x0}" y="${y0}" width="${width}" height="${height}" fill="none" stroke="#ccc"/>`);
    parts.push(`<text x="${x0}" y="${y0 - 6}">${name}: 0 to ${top.toFixed(2)}</text>`);
    for (const { name, values } of lines) {
      const points = values.map((value, at) => {
        const x = x0 + (width * at) / Math.max(1, values.length - 1);
        return `${x.toFixed(1)},${(y0 + height - height * Math.min(1.02, Math.max(0, value / top))).toFixed(1)}`;
      });
      const strong = name === subject.name ? subject.width : 1.2;
      parts.push(
        `<polyline points="${points.join(' ')}" fill="none" stroke="${color(name)}" stroke-width="${strong}"/>`,
      );
    }
  }
  const rows = Math.ceil(panels.length / perRow);
  const legendAt = gap + rows * (height + gap);
  for (const [index, name] of names.entries()) {
    const [x, y] = [gap + (index % 6) * 150, legendAt + Math.floor(index / 6) * 18];
    parts.push(`<rect x="${x}" y="${y - 8}" width="12" height="4" fill="${color(name)}"/>`);
    parts.push(`<text x="${x + 16}" y="${y - 3}">${name}</text>`);
  }
  const [w, h] = [gap + perRow * (width + gap), legendAt + Math.ceil(names.length / 6) * 18 + 10];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" font-family="sans-serif" font-size="11">\n<title>${title}</title>\n<rect width="${w}" height="${h}" fill="#fff"/>\n${parts.join('\n')}\n</svg>\n`;
}
