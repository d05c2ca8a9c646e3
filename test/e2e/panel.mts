import type { Locator, Page } from 'playwright-core';
import { keepPicture } from './picture.mts';

const id = (name: string): string => `[data-test-id="${name}"]`;

/** A person before n8n's editor: opens nodes, fills in what they see, presses buttons, reads. */
export class Panel {
	readonly page: Page;

	constructor(page: Page) {
		this.page = page;
	}

	/** The visible elements with one of n8n's names for its parts, inside of `within`. */
	part(name: string, within: Page | Locator = this.page): Locator {
		return within.locator(id(name)).filter({ visible: true });
	}

	/** The field of a parameter; `nth` counts those of several conditions from 0. */
	field(name: string, nth = 0): Locator {
		return this.part(`parameter-input-${name}`).nth(nth);
	}

	get output(): Locator {
		return this.part('output-panel');
	}

	/** Opens a node of the canvas. */
	async open(node: string): Promise<void> {
		await this.page.locator(`${id('canvas-node')}[data-node-name="${node}"]`).dblclick();
		await this.part('ndv').waitFor();
	}

	async close(): Promise<void> {
		await this.part('ndv-close-button').click();
		await this.page.locator(id('ndv')).waitFor({ state: 'detached' });
	}

	/** Chooses an entry of a list by its label. */
	async choose(list: Locator, ...labels: string[]): Promise<void> {
		await list.click();
		const entries = this.page.locator('.el-select-dropdown__item').filter({ visible: true });
		for (const label of labels) {
			await entries.filter({ has: this.page.getByText(label, { exact: true }) }).click();
		}
		// A list with several choices stays open.
		if (labels.length > 1) await this.part('ndv').getByText('Parameters').click();
	}

	/** Chooses the first entry of a list that is filled from the service. */
	async chooseFromService(name: string): Promise<void> {
		await this.field(name).locator('input').last().click();
		await this.part('rlc-item').first().click();
	}

	/** Types a value into the field of a parameter. */
	async fill(name: string, value: string, nth = 0): Promise<void> {
		const input = this.field(name, nth).locator('input');
		await input.click();
		await input.fill(value);
		await input.blur();
	}

	/** Adds a condition to the filter; it is the `nth`, counted from 0. */
	async addCondition(nth: number, column: string, operator: string): Promise<void> {
		await this.part('fixed-collection-filters').locator(id('fixed-collection-add')).click();
		await this.choose(this.field('column', nth), column);
		await this.choose(this.field('operator', nth), operator);
	}

	/** Adds the option with this label. */
	async addOption(label: string): Promise<void> {
		await this.choose(this.part('collection-parameter-add').last(), label);
	}

	/** Adds an entry to the collection with this label on its button. */
	async addTo(button: string, label: string): Promise<void> {
		const add = this.part('collection-parameter-add');
		await this.choose(add.filter({ has: this.page.getByPlaceholder(button) }), label);
	}

	/** Adds the first trigger of n8n's list to a new workflow, with keys alone. */
	async addFirstStep(trigger: string): Promise<void> {
		await this.part('canvas-add-button').waitFor();
		await this.openNodeList();
		await this.chooseFirst(trigger);
		await this.page.locator(id('canvas-node')).first().waitFor();
	}

	/** Adds a node at the end of the canvas by its action, using only the keyboard. Waits for its panel. */
	async addNode(action: string, node = 'Conversation Desk'): Promise<void> {
		await this.openNodeList();
		await this.part('node-creator-search-bar').fill(node);
		await this.chooseFirst(node);
		const actions = this.part('node-creator-item-name');
		// The list of nodes slides away while the list of actions appears.
		await actions.getByText(node).first().waitFor({ state: 'detached' });
		await actions.getByText(action, { exact: true }).waitFor();
		const names = (await actions.allInnerTexts()).map((name) => name.trim());
		for (let i = names.indexOf(action); i > 0; i -= 1) await this.page.keyboard.press('ArrowDown');
		await this.page.keyboard.press('Enter');
		await this.part('ndv').waitFor();
	}

	/** Presses the key that opens n8n's list of nodes, again if n8n does not listen to keys yet. */
	private async openNodeList(): Promise<void> {
		const search = this.part('node-creator-search-bar');
		for (let tries = 0; tries < 10 && (await search.count()) === 0; tries += 1) {
			await this.page.keyboard.press('n');
			await this.page.waitForTimeout(3_000);
		}
		await search.fill('');
	}

	/** Takes the first entry of n8n's list, which has this name. */
	private async chooseFirst(name: string): Promise<void> {
		const entries = this.part('node-creator-item-name');
		await entries.first().filter({ hasText: name }).waitFor();
		await this.part('node-creator-search-bar').press('Enter');
	}

	/** Drags a column of the input into the field of a parameter. */
	async drag(column: string, name: string): Promise<void> {
		const source = this.part('run-data-schema-item').getByText(column, { exact: true }).first();
		await this.field(name).scrollIntoViewIfNeeded();
		// A field that moves while it is being drawn is missed.
		for (let tries = 0; tries < 5; tries += 1) {
			await this.drop(source, this.field(name));
			for (let waits = 0; waits < 20; waits += 1) {
				if ((await this.textIn(name)).includes(column)) return;
				await this.page.waitForTimeout(100);
			}
		}
		throw new Error(`${column} was not dropped into ${name}.`);
	}

	private async drop(source: Locator, target: Locator): Promise<void> {
		const [from, to] = await Promise.all([source.boundingBox(), target.boundingBox()]);
		if (!from || !to) throw new Error('A column or its field is not shown.');
		await this.page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
		await this.page.mouse.down();
		await this.page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 12 });
		await this.page.mouse.up();
	}

	/** The text or the expression in the field of a parameter. */
	private async textIn(name: string): Promise<string> {
		const inputs = await this.field(name).locator('input, textarea').all();
		// A drop may replace the field meanwhile.
		const read = inputs.map(async (input) => await input.inputValue({ timeout: 500 }));
		const values = (await Promise.allSettled(read)).map((each) => Object(each).value ?? '');
		return [...values, ...(await this.field(name).locator('.cm-content').allInnerTexts())].join();
	}

	/** Chooses "By ID" in a field with a list, and enters the ID. */
	async chooseById(name: string, value: string): Promise<void> {
		await this.choose(this.part('rlc-mode-selector', this.field(name)), 'By ID');
		const input = this.field(name).locator('input').last();
		await input.click();
		await input.fill(value);
	}

	async toggle(name: string): Promise<void> {
		await this.field(name).locator('.el-switch').click();
	}

	/** Presses "Execute step" and waits until this is to be read in the output. */
	async execute(expected: RegExp): Promise<void> {
		const button = this.part('node-execute-button').first();
		const label = (await button.innerText()).trim();
		await button.click();
		await this.output.getByText(expected).first().waitFor();
		// The button turns during the execution.
		await button.getByText(label).waitFor();
	}

	/** Waits until each of these texts is in the output. */
	async reads(...texts: Array<string | RegExp>): Promise<void> {
		for (const text of texts) await this.output.getByText(text).first().waitFor();
	}

	/** Keeps a picture of the page, without messages that would cover it. */
	async picture(name: string): Promise<void> {
		await this.page.mouse.move(0, 0);
		await this.page.evaluate('document.fonts.ready');
		// The button turns during an execution, and then fades back.
		const busy = this.page.locator(`${id('node-execute-button')}[aria-busy="true"]`);
		await busy.first().waitFor({ state: 'detached' });
		await this.page.waitForTimeout(800);
		await keepPicture(this.page, name);
	}
}
