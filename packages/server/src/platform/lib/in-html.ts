const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Returns the text as it is written in an HTML text or a quoted attribute. */
export const inHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
