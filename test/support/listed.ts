/** A list of short texts, with bars between them. */
export const listed = (texts: string): string[] => texts.trim().split(/\s*\|\s*/);
