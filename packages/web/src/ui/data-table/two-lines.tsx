import type { MouseEvent, ReactNode } from 'react'
import shared from '../shared.module.css'

/** Shows at most two lines; where the text is cut, the pointer shows all of it. */
export const TwoLines = ({ children }: { children: ReactNode }) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: the pointer only shows the whole text
  <span className={shared.twoLines} onMouseEnter={explainCut}>
    {children}
  </span>
)

/** Shows the whole text of an element with `shared.twoLines` under the pointer, if it is cut. */
export const explainCut = ({ currentTarget: text }: MouseEvent<HTMLElement>) => {
  const isCut = text.scrollHeight > text.clientHeight
  if (isCut) text.title = text.textContent ?? ''
  else text.removeAttribute('title')
}
