import type { MenuWorkspace } from '@bi-manager/contract'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link, useLocation } from 'react-router'
import { favoritesQuery } from '../../lib/navigation/favorites.ts'
import { linksOf } from '../../lib/navigation/menu.ts'
import { reportInAddress } from '../../lib/navigation/report-path.ts'
import { FavoriteList } from '../../ui/favorite-list/favorite-list.tsx'
import classes from './report-menu.module.css'

/** 'Favoritos' at the top of the menu; null without favourites or when they cannot be read. */
export const FavoriteLinks = ({ menu }: { menu: MenuWorkspace[] }) => {
  const { data: favorites = [] } = useQuery(favoritesQuery)
  const active = reportInAddress(useLocation())
  const headingId = useId()
  if (favorites.length === 0) return null
  const links = linksOf(menu)
  return (
    <div className={classes.favorites}>
      <h3 id={headingId} className={classes.heading}>
        Favoritos
      </h3>
      <FavoriteList
        favorites={favorites}
        labelledBy={headingId}
        className={classes.list}
        renderLink={({ nomeRelatorio: nome, nomeGrupo: workspace, groupId, reportId, idRelatorio }) => {
          const report = { nome, reportId, idRelatorio }
          const place = { workspace, groupId }
          return (
            <Link
              to={links.pathOf(place, report)}
              draggable={false}
              // Not aria-current, which the same report has in its workspace below.
              data-current={links.isCurrent(active, place, report) || undefined}
              className={`${classes.link} ${classes.favorite}`}
            >
              {nome}
            </Link>
          )
        }}
      />
    </div>
  )
}
