/** The colours of series, in order; told apart in grey and by those who see few colours. */
export const COLOURS = ['#1b6ca8', '#b8b8b8', '#e08e45', '#5b9279', '#7d5ba6', '#8c4a4a'];

export const INK = '#222222';
export const FAINT = '#d9d9d9';

interface TextOptions {
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly size?: number;
  readonly weight?: 'bold';
}

export function text(x: number, y: number, content: string, options: TextOptions = {}): string {
  const { anchor = 'start', size = 12, weight } = options;
  const bold = weight === undefined ? '' : ` font-weight="${weight}"`;
  return `<text x="${at(x)}" y="${at(y)}" font-size="${size}" text-anchor="${anchor}"${bold}>${escaped(content)}</text>`;
}

export function rectangle(x: number, y: number, width: number, height: number, colour: string): string {
  return `<rect x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}" fill="${colour}"/>`;
}

export function circle(x: number, y: number, radius: number, colour: string): string {
  return `<circle cx="${at(x)}" cy="${at(y)}" r="${radius}" fill="${colour}"/>`;
}

export function line(
  points: readonly (readonly [x: number, y: number])[],
  colour: string,
  width = 1,
): string {
  const list = points.map(([x, y]) => `${at(x)},${at(y)}`).join(' ');
  return `<polyline points="${list}" fill="none" stroke="${colour}" stroke-width="${width}"/>`;
}

/** A whole picture, on white whatever the page's colour is. */
export function picture(width: number, height: number, title: string, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img"`,
    ` aria-label="${escaped(title)}" font-family="system-ui, sans-serif" fill="${INK}">`,
    `\n${rectangle(0, 0, width, height, '#ffffff')}\n`,
    parts.join('\n'),
    '\n</svg>\n',
  ].join('');
}

function at(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
