/**
 * Copies a text. The clipboard API needs https or localhost; elsewhere falls back to execCommand.
 * @throws Error with a Portuguese sentence when the browser refuses
 */
export const copyText = async (
  text: string,
  refusal = 'O navegador não deixou copiar. Selecione o texto e copie.',
): Promise<void> => {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  // Inside an open dialog: its focus trap would take the focus back from an outside element.
  const place = document.activeElement?.closest('[role="dialog"]') ?? document.body
  place.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (!isCopied) throw new Error(refusal)
  return undefined
}
