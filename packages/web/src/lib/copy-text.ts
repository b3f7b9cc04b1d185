/**
 * The clipboard exists only over https (and on the machine itself); elsewhere the old way still works.
 * @throws Error with the sentence for the screen, when the browser refuses.
 */
export const copyText = async (
  text: string,
  refusal = 'O navegador não deixou copiar. Selecione o texto e copie.',
): Promise<void> => {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  // Inside an open dialog where there is one: its focus trap takes the focus back from whatever stands outside.
  const place = document.activeElement?.closest('[role="dialog"]') ?? document.body
  place.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (!isCopied) throw new Error(refusal)
  return undefined
}
