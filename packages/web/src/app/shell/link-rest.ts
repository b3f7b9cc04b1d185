/** Delay (ms) that prevents prefetches while the pointer crosses the menu. */
const restMs = 80

/**
 * Calls `rested` when the pointer or the keyboard focus rests on a link; never for touch, which
 * does not hover. Returns a function that stops it.
 */
export const onLinkHover = (rested: (link: HTMLAnchorElement) => void): (() => void) => {
  const life = new AbortController()
  const { signal } = life
  let current: HTMLAnchorElement | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const isOn = (link: HTMLAnchorElement | null) => {
    if (link === current) return
    clearTimeout(timer)
    current = link
    if (link) timer = setTimeout(() => rested(link), restMs)
  }

  document.addEventListener(
    'pointerover',
    ({ target, pointerType }) => isOn(pointerType === 'touch' ? null : linkAt(target)),
    { signal, passive: true },
  )
  document.addEventListener(
    'focusin',
    ({ target }) => {
      // Touch moves the focus too, but without :focus-visible.
      if (target instanceof Element && target.matches(':focus-visible')) isOn(linkAt(target))
    },
    { signal },
  )
  for (const leaving of ['pointerleave', 'focusout'] as const)
    document.documentElement.addEventListener(leaving, () => isOn(null), { signal })
  signal.addEventListener('abort', () => clearTimeout(timer))
  return () => life.abort()
}

const linkAt = (target: EventTarget | null): HTMLAnchorElement | null =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
