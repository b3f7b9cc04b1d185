/** Returns the anchor that the hash of an address names: 'situação' for '#situa%C3%A7%C3%A3o'. */
export const anchorOf = (hash: string): string => {
  const text = hash.slice(1)
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
