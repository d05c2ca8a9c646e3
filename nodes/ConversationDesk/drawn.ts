/** A text as HTML that shows it letter by letter: n8n draws hints and the descriptions of errors as HTML. */
export const drawn = (text: string): string =>
	text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

const ENTITIES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Lines of text as HTML. */
export const drawnLines = (lines: readonly string[]): string => lines.map(drawn).join('<br>');

/**
 * The message of an error: n8n draws it as text in the node and as HTML in the notice at the edge of the screen, so it has
 * nothing that begins a tag, and no escapes.
 */
export const drawnMessage = (text: string): string => text.replace(/<(?=[a-z/!?])/gi, '‹');
