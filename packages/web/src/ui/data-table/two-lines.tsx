import type { MouseEvent, ReactNode } from 'react'
import classes from './data-table.module.css'

/** Shows at most two lines; where the text is cut, the pointer shows all of it. */
export const TwoLines = ({ children }: { children: ReactNode }) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: the pointer only shows the whole text
  <span className={classes.twoLines} onMouseEnter={explainCut}>
    {children}
  </span>
)

const explainCut = ({ currentTarget: text }: MouseEvent<HTMLElement>) => {
  const isCut = text.scrollHeight > text.clientHeight
  if (isCut) text.title = text.textContent ?? ''
  else text.removeAttribute('title')
}
