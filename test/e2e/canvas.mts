import type { Page } from 'playwright-core';
import { keepPicture } from './picture.mts';
import type { Clip } from './picture.mts';

/** A box on the canvas: a node with its label, or a note. */
interface Box extends Clip {
	name: string;
}

interface Boxes {
	/** The canvas itself. */
	canvas: Box;
	nodes: Box[];
	notes: Box[];
}

/** Runs in the browser: n8n draws nodes and notes as boxes of a flow. */
const measure = `(() => {
	const boxOf = (name, rects) => {
		const left = Math.min(...rects.map((rect) => rect.left));
		const top = Math.min(...rects.map((rect) => rect.top));
		const right = Math.max(...rects.map((rect) => rect.right));
		const bottom = Math.max(...rects.map((rect) => rect.bottom));
		return { name, x: left, y: top, width: right - left, height: bottom - top };
	};
	const textOf = (element) => {
		const range = document.createRange();
		range.selectNodeContents(element);
		return [...range.getClientRects()].filter(({ width }) => width > 0);
	};
	const flow = document.querySelector('.vue-flow');
	const canvas = boxOf('', [flow.getBoundingClientRect()]);
	const nodes = [...flow.querySelectorAll('[data-test-id="canvas-node"]')].map((node) => {
		const label = node.querySelector('[class*="_description_"]');
		const shape = node.getBoundingClientRect();
		return boxOf(node.getAttribute('data-node-name'), [shape, ...(label ? textOf(label) : [])]);
	});
	const stickies = [...flow.querySelectorAll('.n8n-sticky')];
	const notes = stickies.map((note) => {
		return boxOf(note.innerText.split('\\n')[0], [note.getBoundingClientRect()]);
	});
	return { canvas, nodes, notes };
})()`;

const bottom = ({ y, height }: Box): number => y + height;

const isInside = (inner: Box, outer: Box): boolean =>
	inner.x >= outer.x &&
	inner.y >= outer.y &&
	inner.x + inner.width <= outer.x + outer.width &&
	bottom(inner) <= bottom(outer);

const meet = (a: Box, b: Box): boolean =>
	a.x < b.x + b.width && b.x < a.x + a.width && a.y < bottom(b) && b.y < bottom(a);

/** The canvas of the editor with a whole workflow. */
export class Canvas {
	readonly page: Page;

	constructor(page: Page) {
		this.page = page;
	}

	/** Presses the key that makes all of the workflow fit into the window. */
	async fitToView(): Promise<void> {
		// The canvas fades in, and then glides to its place.
		await this.#standsStill();
		await this.page.keyboard.press('1');
		await this.#standsStill();
	}

	async #standsStill(): Promise<void> {
		let before = '';
		for (let tries = 0; tries < 20; tries++) {
			await this.page.waitForTimeout(250);
			const now = JSON.stringify(await this.#boxes());
			if (now === before) return;
			before = now;
		}
	}

	/** The pairs of nodes that meet, with their labels. */
	async crowded(): Promise<string[]> {
		const { nodes } = await this.#boxes();
		return nodes.flatMap((one, i) =>
			nodes.slice(i + 1).flatMap((other) => (meet(one, other) ? `${one.name} ${other.name}` : [])),
		);
	}

	/** The nodes and notes that the canvas does not show as a whole. */
	async outside(): Promise<string[]> {
		const { canvas, nodes, notes } = await this.#boxes();
		return [...nodes, ...notes].filter((box) => !isInside(box, canvas)).map(({ name }) => name);
	}

	/** Keeps a picture of the workflow, without what n8n has around it. */
	async picture(name: string): Promise<void> {
		const { nodes, notes } = await this.#boxes();
		const all = [...nodes, ...notes];
		const margin = 24;
		const x = Math.min(...all.map((box) => box.x)) - margin;
		const y = Math.min(...all.map((box) => box.y)) - margin;
		// The last nodes have a plus at their right.
		const width = Math.max(...all.map((box) => box.x + box.width)) + 2 * margin - x;
		const height = Math.max(...all.map(bottom)) + margin - y;
		await this.page.evaluate('document.fonts.ready');
		await keepPicture(this.page, name, { x, y, width, height });
	}

	async #boxes(): Promise<Boxes> {
		return await this.page.evaluate<Boxes>(measure);
	}
}
