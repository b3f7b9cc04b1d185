/** Returns a function that computes the anchors of a page's headings as GitHub does. */
export const slugs = (): ((heading: string) => string) => {
  const taken = new Map<string, number>()
  return (heading) => {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-')
    const count = taken.get(slug) ?? 0
    taken.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }
}
