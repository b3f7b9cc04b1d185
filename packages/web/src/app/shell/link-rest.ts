/** Shorter (ms), and whoever crosses a menu on the way elsewhere would ask for all of it. */
const restMs = 80

/**
 * Calls back when a pointer, or the focus of the keyboard, has rested on a link; never for a finger, which does not hover.
 * Answers how to stop.
 */
export const watchLinkRest = (rested: (link: HTMLAnchorElement) => void): (() => void) => {
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
      // A finger moves the focus too, but not so that it shows.
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
