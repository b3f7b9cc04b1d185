/** Returns the addresses and networks in a typed text: one a line, or separated by spaces or commas. */
export const networksOf = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)
