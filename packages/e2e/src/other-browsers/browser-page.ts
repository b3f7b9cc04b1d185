/** A page in any browser: what the walk through the portal needs. */
export interface BrowserPage {
  goto: (address: string) => Promise<void>
  /** Sets the size of the page in CSS pixels. */
  resize: (size: { width: number; height: number }) => Promise<void>
  /** Runs a function in the page; arguments and result are JSON. */
  run: Run
  /** Runs a function in the report that is shown. */
  runInReport: Run
  /** Clicks the first visible element of a selector whose label or text starts with the name. */
  press: (css: string, name: string) => Promise<void>
  type: (css: string, text: string) => Promise<void>
  key: (name: 'Enter' | 'Escape') => Promise<void>
  /** Returns a PNG. */
  screenshot: () => Promise<Uint8Array>
  /** Errors on the console, where the browser tells them. */
  complaints: string[]
  close: () => Promise<void>
}
type Run = <A extends unknown[], R>(work: (...args: A) => R, ...args: A) => Promise<Awaited<R>>

const LIMIT_MS = 40_000

/** Waits until a function in the page or in the report returns true. */
export const until = async <A extends unknown[]>(
  run: Run,
  work: (...args: A) => boolean,
  ...args: A
): Promise<void> => {
  const end = Date.now() + LIMIT_MS
  for (;;) {
    // A page that is being left has no document for a moment.
    const isDone = await run(work, ...args).catch(() => false)
    if (isDone) return
    if (Date.now() > end) throw new Error(`this did not become true: ${work.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Runs in the page: returns the element that `press` clicks. */
export const findNamed = (css: string, name: string): Element | null =>
  [...document.querySelectorAll(css)].find(
    (element) =>
      element.checkVisibility() &&
      (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().startsWith(name),
  ) ?? null
