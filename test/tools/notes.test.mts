import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readShipped } from '../../tools/demo/examples.mts';
import type { WorkflowNode } from '../../tools/host/workflow.mts';

const folder = join(import.meta.dirname, '../../workflows');
const files = (await readdir(folder)).filter((name) => name.endsWith('.json'));

/** A note or a node on the canvas, in pixels. */
interface Box {
	readonly name: string;
	readonly left: number;
	readonly top: number;
	readonly right: number;
	readonly bottom: number;
}

interface Note extends Box {
	readonly content: string;
}

function toNote({ name, position, parameters }: WorkflowNode): Note {
	const [left = 0, top = 0] = position;
	const { content, width, height } = parameters;
	return {
		name,
		content: String(content),
		left,
		top,
		right: left + Number(width),
		bottom: top + Number(height),
	};
}

/** A node with the two lines of its label. An agent is wider than other nodes. */
function toNodeBox({ name, type, position }: WorkflowNode): Box {
	const [left = 0, top = 0] = position;
	const width = type.endsWith('.agent') ? 256 : 96;
	return { name, left, top, right: left + width, bottom: top + 136 };
}

const isInside = (inner: Box, outer: Box): boolean =>
	inner.left >= outer.left &&
	inner.right <= outer.right &&
	inner.top >= outer.top &&
	inner.bottom <= outer.bottom;

/** The kinds of lines of a note as n8n draws them, in pixels: a letter's width, a line's height, the space below. */
const LINE_KINDS = [
	{ start: '### ', letter: 9, line: 24, below: 8 },
	{ start: '## ', letter: 13, line: 36, below: 8 },
	{ start: '- [ ] ', letter: 7, line: 21, below: 4 },
	{ start: '', letter: 7, line: 21, below: 8 },
] as const;
const PADDING = 12;

/** Estimates how high the text of a note is, in pixels. */
function estimateTextHeight({ content, left, right }: Note): number {
	const lines = content.split('\n').filter((line) => line !== '');
	const heights = lines.map((text) => {
		const kind = LINE_KINDS.find(({ start }) => text.startsWith(start)) ?? LINE_KINDS[3];
		const letters = text.slice(kind.start.length).replace(/[*`]/g, '').length;
		const rowCount = Math.ceil((letters * kind.letter) / (right - left - 2 * PADDING));
		return rowCount * kind.line + kind.below;
	});
	return PADDING + heights.reduce((sum, height) => sum + height, 0);
}

for (const file of files) {
	describe(`the canvas of ${file}`, async () => {
		const workflow = await readShipped({ file });
		const isNote = ({ type }: WorkflowNode) => type.endsWith('.stickyNote');
		const notes = workflow.nodes.filter(isNote).map(toNote);
		const nodes = workflow.nodes.filter((node) => !isNote(node)).map(toNodeBox);
		const coveredBy = (note: Note) => nodes.filter((node) => isInside(node, note));
		const [overview, ...parts] = notes;

		test('has notes whose text ends above the nodes that they cover', () => {
			for (const note of notes) {
				const tops = coveredBy(note).map(({ top }) => top);
				const room = Math.min(note.bottom, ...tops) - note.top;
				const height = estimateTextHeight(note);
				assert.ok(height <= room, `${note.name}: ${height} px of text in ${room} px`);
			}
		});

		test('has each node in one note, and in each note but the first the nodes that it names', () => {
			assert.ok(overview && coveredBy(overview).length === 0);
			for (const node of nodes)
				assert.equal(parts.filter((note) => isInside(node, note)).length, 1, node.name);
			for (const note of parts) {
				const covered = coveredBy(note).map(({ name }) => name);
				assert.ok(covered.length > 0, note.name);
				const bold = [...note.content.matchAll(/\*\*(.+?)\*\*/g)].map(([, text]) => text);
				const named = nodes.map(({ name }) => name).filter((name) => bold.includes(name));
				assert.deepEqual(
					named.filter((name) => !covered.includes(name)),
					[],
				);
			}
		});
	});
}
