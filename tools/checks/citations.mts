import { hasCode, partsOf, sectionOf } from './markdown.mts';

const CITATION = /\(interface:([^)]+)\)/g;

/** The sections of the interface that comments of a source cite, each as far as a semicolon. */
export const citationsIn = (source: string): string[] =>
	[...source.matchAll(CITATION)].map(([, cited = '']) =>
		(cited.split(';')[0] ?? '').replace(/\s+(?:(?:\*|\/\/)\s+)?/g, ' ').trim(),
	);

/**
 * The citations for which the document has nothing: each is a heading, or, after a comma, a heading and something in code
 * in its section, e.g. "Ticket, source".
 */
export function uncovered(document: string, citations: readonly string[]): string[] {
	const { headings } = partsOf(document);
	const isThere = (citation: string): boolean => {
		if (headings.includes(citation)) return sectionOf(document, citation).length > 0;
		const [heading = '', ...rest] = citation.split(', ');
		return (
			rest.length > 0 && headings.includes(heading) && hasCode(document, heading, rest.join(', '))
		);
	};
	return [...new Set(citations)].filter((citation) => !isThere(citation));
}
