import type { ElementHandle, Page } from 'playwright-core'

/* Faults of narrow windows, of long names and of forced colours. */

/** Longer words are addresses, ids and names of files, which may break. */
const LONGEST_WORD = 18

/** Returns the words that are broken within, because these elements are too narrow, with the elements. */
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
          for (const { 0: token, index: start } of text.data.matchAll(/\S+/g)) {
            if (token.length > longest && token.includes('/')) continue
            for (const { 0: word, index } of token.matchAll(/[^/–-]+/g))
              if (word.length <= longest && isBroken(text, start + index, start + index + word.length))
                broken.add(`${word} in ${cell.localName}.${cell.className}`)
          }
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

/** Boxes that are chosen, and bars; a switch has no size itself. */
const controls = 'input:is([type="checkbox"], [type="radio"]), [role="progressbar"]'

/**
 * Returns the open, current and chosen entries that look like the others in forced colours, and the
 * boxes, switches and bars that look the same in both states.
 */
export const unmarkedInForcedColors = async (page: Page): Promise<string[]> => {
  await page.emulateMedia({ forcedColors: 'active' })
  const unmarked: string[] = []
  const found = await page.locator(`${marks}, ${controls}`).elementHandles()
  // A selector of CSS finds elements only.
  const entries = found as ElementHandle<HTMLElement | SVGElement>[]
  for (const entry of entries) {
    const shown = await entry.evaluateHandle((element: Element) =>
      element.matches('input')
        ? (element.closest(':is(.mantine-Checkbox-body, .mantine-Radio-body, .mantine-Switch-body)') ??
          element)
        : element,
    )
    const seen = shown.asElement()
    if (!seen || !(await seen.isVisible())) continue
    await seen.scrollIntoViewIfNeeded()
    const box = await seen.boundingBox()
    if (!box || !(await seen.evaluate(isOnTop))) continue
    const { x, y, width, height } = box
    const clip = { x: Math.max(0, x - 3), y: Math.max(0, y - 3), width: width + 6, height: height + 6 }
    const shoot = () => page.screenshot({ clip, animations: 'disabled', caret: 'hide' })
    const marked = await shoot()
    const undo = await entry.evaluateHandle(unmark)
    const plain = await shoot()
    await undo.evaluate((restore: () => void) => restore())
    if (marked.equals(plain)) unmarked.push(await nameOf(entry))
  }
  await page.emulateMedia({ forcedColors: 'none' })
  return unmarked
}

/** Whether nothing covers the middle of an element, such as an open dialog. */
const isOnTop = (element: Element): boolean => {
  const { x, y, width, height } = element.getBoundingClientRect()
  const shown = document.elementFromPoint(x + width / 2, y + height / 2)
  return element.contains(shown) || shown?.contains(element) === true
}

/** Shows the other state, in the page, and returns how to restore the first one. */
const unmark = (element: HTMLElement | SVGElement): (() => void) => {
  if (element instanceof HTMLInputElement) {
    const group = element.name ? [...document.getElementsByName(element.name)] : []
    const before = [element, ...group].map((one) => [one, (one as HTMLInputElement).checked] as const)
    element.checked = !element.checked
    return () => {
      for (const [one, isChecked] of before) (one as HTMLInputElement).checked = isChecked
    }
  }
  if (element.role === 'progressbar') {
    element.style.visibility = 'hidden'
    return () => element.style.removeProperty('visibility')
  }
  const names = ['aria-current', 'aria-selected', 'data-current', 'data-active']
  const before = names.map((name) => [name, element.getAttribute(name)] as const)
  for (const name of names) element.removeAttribute(name)
  return () => {
    for (const [name, value] of before) if (value !== null) element.setAttribute(name, value)
  }
}

const nameOf = (entry: ElementHandle<HTMLElement | SVGElement>): Promise<string> =>
  entry.evaluate(
    (element) =>
      element.textContent ||
      element.getAttribute('aria-label') ||
      (element instanceof HTMLInputElement && element.labels?.[0]?.textContent) ||
      element.id,
  )
