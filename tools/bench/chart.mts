import { round3 } from './rounds.mts';

/** A bar: a contender, and its time as a multiple of the first one's. */
export interface Bar {
	readonly name: string;
	readonly value: number;
}

const size = { width: 860, left: 250, bar: 18, gap: 6, title: 30 };
const colours = ['#8a94a6', '#1f7a5c', '#2fa37c', '#c96a2b'];
const style =
	'text{font:13px sans-serif;fill:#4a5261}.title{font-weight:bold}@media(prefers-color-scheme:dark){text{fill:#c9d1dc}}';

const plain = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/** Draws groups of bars as SVG. */
export function chart(groups: ReadonlyArray<{ title: string; bars: readonly Bar[] }>): string {
	const most = Math.max(1, ...groups.flatMap(({ bars }) => bars.map(({ value }) => value)));
	const scale = (size.width - size.left - 80) / most;
	let y = 10;
	const parts: string[] = [];
	for (const { title, bars } of groups) {
		parts.push(`<text class="title" x="10" y="${y + 16}">${plain(title)}</text>`);
		y += size.title;
		for (const [index, { name, value }] of bars.entries()) {
			const width = Math.max(1, value * scale).toFixed(1);
			const text = y + size.bar - 5;
			const after = (size.left + value * scale + 8).toFixed(1);
			parts.push(
				`<text x="${size.left - 8}" y="${text}" text-anchor="end">${plain(name)}</text>`,
				`<rect x="${size.left}" y="${y}" width="${width}" height="${size.bar}" rx="2" fill="${colours[index] ?? '#8a94a6'}"/>`,
				`<text x="${after}" y="${text}">${round3(value)} x</text>`,
			);
			y += size.bar + size.gap;
		}
		y += 10;
	}
	const box = `width="${size.width}" height="${y}" viewBox="0 0 ${size.width} ${y}"`;
	return `<svg xmlns="http://www.w3.org/2000/svg" ${box} role="img" aria-label="Times as multiples of those of a bare client"><style>${style}</style>\n${parts.join('\n')}\n</svg>\n`;
}
