import type { ReportDefinition } from '../../definitions/definition.ts'

/** Checks that the targets of buttons, bookmarks and phone layouts exist in the report. */
export const checkReferences = (
  { pages, bookmarks }: ReportDefinition,
  fail: (place: string, sentence: string) => void,
) => {
  const mustBePage = (place: string, name: string | undefined) => {
    if (name !== undefined && !pages.some((page) => page.name === name))
      fail(place, `a página ${name} não existe no relatório`)
  }
  bookmarks.forEach(({ name, page }, index) => {
    if (isRepeated(bookmarks, index)) fail(`bookmarks[${index}].name`, `${name} se repete`)
    mustBePage(`bookmarks[${index}].page`, page)
  })
  pages.forEach((page, index) => {
    page.visuals.forEach(({ button }, position) => {
      if (!button) return
      const place = `pages[${index}].visuals[${position}].button`
      if (Object.values(button).filter((action) => action !== undefined).length > 1)
        fail(place, 'escreva só um de page, bookmark e resetFilters')
      mustBePage(`${place}.page`, button.page)
      if (button.bookmark !== undefined && !bookmarks.some(({ name }) => name === button.bookmark))
        fail(`${place}.bookmark`, `o marcador ${button.bookmark} não existe no relatório`)
    })
    page.phone?.forEach(({ visual }, position, all) => {
      const place = `pages[${index}].phone[${position}].visual`
      if (!page.visuals.some(({ name }) => name === visual))
        fail(place, `o visual ${visual} não existe na página`)
      if (all.findIndex((other) => other.visual === visual) < position) fail(place, `${visual} se repete`)
    })
  })
}

export const isRepeated = (named: { name: string }[], index: number) =>
  named.findIndex(({ name }) => name === named[index]?.name) < index
