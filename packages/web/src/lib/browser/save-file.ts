/** Saves a file fetched with the session's token as a browser download. */
export const saveFile = (content: Blob, fileName: string): void => {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  document.body.append(link)
  link.click()
  link.remove()
  // Some browsers fail to save if the URL is revoked immediately.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

export const saveCsv = (text: string, name: string): void =>
  saveFile(new Blob([text], { type: 'text/csv;charset=utf-8' }), name)
