import type { MenuReport, MenuWorkspace } from '@bi-manager/contract'
import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { reportInAddress } from '../../lib/navigation/report-path.ts'
import { scrollerOf } from '../../ui/search-select/scroll-into-room.ts'
import shared from '../../ui/shared.module.css'
import { FavoriteStar } from '../favorites/favorite-star.tsx'
import type { MenuLinks } from './menu.ts'
import classes from './report-menu.module.css'

/** Milliseconds after which a workspace of the menu has opened. */
const OPENED_MS = 200

/** Scrolls the menu until the element is visible, once `isCurrent`; the page stays where it is. */
const useInView = <E extends HTMLElement>(isCurrent: boolean) => {
  const element = useRef<E>(null)
  useEffect(() => {
    if (!isCurrent) return
    const timer = setTimeout(() => element.current && scrollIntoView(element.current), OPENED_MS)
    return () => clearTimeout(timer)
  }, [isCurrent])
  return element
}

const scrollIntoView = (element: HTMLElement): void => {
  const scroller = scrollerOf(element)
  if (!scroller || scroller === document.scrollingElement) return
  const { top, bottom } = element.getBoundingClientRect()
  const room = scroller.getBoundingClientRect()
  if (top < room.top || bottom > room.bottom) scroller.scrollTop += top - room.top - room.height / 2
}

interface ReportLinkProps {
  workspace: MenuWorkspace
  report: MenuReport
  links: MenuLinks
  withWorkspace?: boolean
}

/** A report in the menu. Compared with the URL by ids, because names in a URL may be outdated. */
export const ReportLink = ({ workspace, report, links, withWorkspace = false }: ReportLinkProps) => {
  const active = reportInAddress(useLocation())
  const isCurrent = links.isCurrent(active, workspace, report)
  const link = useInView<HTMLAnchorElement>(isCurrent && !withWorkspace)
  return (
    <div className={classes.starred}>
      <Link
        ref={link}
        to={links.pathOf(workspace, report)}
        aria-current={isCurrent ? 'page' : undefined}
        className={`${shared.menuLink} ${classes.link}`}
      >
        {report.nome}
        {withWorkspace && <span className={shared.detail}>{workspace.workspace}</span>}
      </Link>
      <FavoriteStar idRelatorio={report.idRelatorio} nomeRelatorio={report.nome} size="sm" />
    </div>
  )
}
