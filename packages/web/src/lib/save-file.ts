/** Hands a file that was fetched with the session's token to the browser's downloads. */
export const saveFile = (content: Blob, fileName: string): void => {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  document.body.append(link)
  link.click()
  link.remove()
  // Revoked at once, some browsers would have nothing left to save.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
