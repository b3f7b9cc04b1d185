import type { Page } from 'playwright-core'

/* Faults of narrow windows, of long names and of forced colours. */

/** Longer words are addresses, ids and names of files, which may break. */
const LONGEST_WORD = 18

/** Returns the words that are broken within, because these elements are too narrow. */
export const brokenWords = (page: Page, elements: string): Promise<string[]> =>
  page.evaluate(
    ([longest, selector]) => {
      const isBroken = (text: Text, from: number, to: number) => {
        const range = new Range()
        range.setStart(text, from)
        range.setEnd(text, to)
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1
      }
      const broken = new Set<string>()
      for (const cell of document.querySelectorAll(selector)) {
        const isOfIds = cell.matches('th, td') && getComputedStyle(cell).overflowWrap === 'anywhere'
        if (isOfIds || !cell.checkVisibility()) continue
        const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
        while (texts.nextNode()) {
          const text = texts.currentNode as Text
          for (const { 0: word, index } of text.data.matchAll(/[^\s/–-]+/g))
            if (word.length <= longest && isBroken(text, index, index + word.length)) broken.add(word)
        }
      }
      return [...broken]
    },
    [LONGEST_WORD, elements] as const,
  )

/**
 * Returns the controls that the window or an ancestor cuts off at a side. A table that scrolls
 * sideways cuts nothing off.
 */
export const cutControls = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isCut = (control: Element): boolean => {
      const { left, right, width } = control.getBoundingClientRect()
      // A field of one pixel is for screen readers.
      if (width <= 2) return false
      for (let box = control.parentElement; box; box = box.parentElement) {
        const { position, overflowX } = getComputedStyle(box)
        if (overflowX === 'auto' || overflowX === 'scroll') return false
        const bounds = box.getBoundingClientRect()
        if (
          overflowX !== 'visible' &&
          bounds.width > 2 &&
          (left < bounds.left - 1 || right > bounds.right + 1)
        )
          return true
        if (position === 'fixed') break
      }
      return left < -1 || right > document.documentElement.clientWidth + 1
    }
    return [...document.querySelectorAll('a[href], button, input, select, textarea')]
      .filter((control) => control.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((control) => !control.closest('[inert], [class*="skip"]'))
      .filter(isCut)
      .map((control) => control.getAttribute('aria-label') ?? control.textContent ?? control.tagName)
  })

const marks = '[aria-current], [data-current], [role="tab"][data-active], label[data-active]'

/** Returns the open, current and chosen entries that look like the others in forced colours. */
export const unmarkedInForcedColors = async (page: Page): Promise<string[]> => {
  await page.emulateMedia({ forcedColors: 'active' })
  const unmarked: string[] = []
  for (const entry of await page.locator(marks).elementHandles()) {
    if (!(await entry.isVisible())) continue
    await entry.scrollIntoViewIfNeeded()
    const box = await entry.boundingBox()
    if (!box) continue
    const { x, y, width, height } = box
    const clip = { x: Math.max(0, x - 3), y: Math.max(0, y - 3), width: width + 6, height: height + 6 }
    const shoot = () => page.screenshot({ clip, animations: 'disabled', caret: 'hide' })
    const marked = await shoot()
    const attributes = await entry.evaluate((element: Element) =>
      ['aria-current', 'aria-selected', 'data-current', 'data-active'].flatMap((name) => {
        const value = element.getAttribute(name)
        element.removeAttribute(name)
        return value === null ? [] : [[name, value] as const]
      }),
    )
    const plain = await shoot()
    await entry.evaluate((element: Element, removed) => {
      for (const [name, value] of removed) element.setAttribute(name, value)
    }, attributes)
    if (marked.equals(plain)) unmarked.push((await entry.textContent()) ?? '')
  }
  await page.emulateMedia({ forcedColors: 'none' })
  return unmarked
}
