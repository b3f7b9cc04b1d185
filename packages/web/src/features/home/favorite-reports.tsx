import { IconStarFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { favoritesQuery } from '../../lib/navigation/favorites.ts'
import { reportPath } from '../../lib/navigation/report-path.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { FavoriteList } from '../../ui/favorite-list/favorite-list.tsx'
import shared from '../../ui/shared.module.css'
import classes from './home-page.module.css'

/** 'Favoritos' on the home page; null without favourites. */
export const FavoriteReports = () => {
  const { data: favorites, error, isFetching, refetch } = useQuery(favoritesQuery)
  if (error && !favorites)
    return (
      <section className={classes.card} aria-label="Favoritos">
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      </section>
    )
  if (!favorites || favorites.length === 0) return null
  return (
    <section aria-labelledby="favoritos">
      <h2 id="favoritos" className={`${shared.heading} ${classes.recentHeading}`}>
        Favoritos
      </h2>
      <FavoriteList
        favorites={favorites}
        labelledBy="favoritos"
        className={classes.recents}
        renderLink={({ nomeRelatorio, nomeGrupo, ...ids }) => (
          <Link
            to={reportPath({ workspace: nomeGrupo, relatorio: nomeRelatorio, ...ids })}
            draggable={false}
            className={`${classes.tile} ${classes.favorite}`}
          >
            <span className={`${shared.tileIcon} ${classes.starIcon}`}>
              <IconStarFilled size={19} aria-hidden />
            </span>
            <span className={classes.recentText}>
              {nomeRelatorio}
              <span className={shared.detail}>{nomeGrupo}</span>
            </span>
          </Link>
        )}
      />
    </section>
  )
}
