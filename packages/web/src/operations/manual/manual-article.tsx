import { type MouseEvent, useEffect } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import { anchorOf } from './manual-anchor.ts'
import classes from './manual-article.module.css'
import type { ManualPage } from './manual-pages.ts'

/** The text of a page. Its HTML is of our own files, without raw HTML (manual/read-page.ts). */
export const ManualArticle = ({ page }: { page: ManualPage }) => {
  const navigate = useNavigate()
  useAnchor(page)

  const handleClick = (event: MouseEvent) => {
    const link = event.target instanceof Element && event.target.closest('a')
    if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    const to = link.getAttribute('href') ?? ''
    // Other links, also those of pictures, are the browser's.
    if (!/^(#|\/ajuda)/.test(to)) return
    event.preventDefault()
    void navigate(to)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: takes the clicks of links, which have keys
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link's Enter is a click
    <div
      className={classes.article}
      onClick={handleClick}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered at build time from docs
      dangerouslySetInnerHTML={{ __html: page.html }}
    />
  )
}

/** Scrolls to the heading that the address names once the page is there, and focuses it. */
const useAnchor = (page: ManualPage): void => {
  const { hash, key } = useLocation()
  const type = useNavigationType()
  // biome-ignore lint/correctness/useExhaustiveDependencies: again when the same link is followed
  useEffect(() => {
    // The router restored the place at which the reader left the page.
    if (type === 'POP' && window.scrollY > 0) return
    const heading = hash && document.getElementById(anchorOf(hash))
    if (!heading) return
    heading.scrollIntoView()
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [page, hash, key])
}
