import '@mantine/core/styles/Tooltip.layer.css'
import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconStar, IconStarFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../lib/api/api.ts'
import classes from './favorite-star.module.css'
import { favoritesQuery, useStar } from './favorites.ts'

interface FavoriteStarProps {
  /** Undefined while loading. */
  idRelatorio: number | undefined
  nomeRelatorio: string
  size?: 'sm' | 'lg'
}

/** Toggles a report as favourite, in the viewer and in the menu. */
export const FavoriteStar = ({ idRelatorio, nomeRelatorio, size = 'lg' }: FavoriteStarProps) => {
  const { data: favorites } = useQuery(favoritesQuery)
  const { mutate, isPending, error, variables } = useStar()
  const isStored = favorites?.some((favorite) => favorite.idRelatorio === idRelatorio) ?? false
  // Optimistic: shows the chosen state at once.
  const isStarred = isPending ? variables.isStarred : isStored
  const name = isStarred ? 'Tirar dos favoritos' : 'Pôr nos favoritos'
  const Icon = isStarred ? IconStarFilled : IconStar
  const fault = error && variables?.id === idRelatorio ? messageOf(error) : ''
  return (
    <>
      <Tooltip
        label={fault || name}
        openDelay={400}
        disabled={size === 'sm' && !fault}
        {...(fault ? { opened: true } : {})}
      >
        <ActionIcon
          size={size}
          className={classes.star}
          data-starred={isStarred || undefined}
          aria-label={size === 'lg' ? name : `${name}: ${nomeRelatorio}`}
          disabled={idRelatorio === undefined || !favorites}
          onClick={() => {
            if (idRelatorio !== undefined && !isPending) mutate({ id: idRelatorio, isStarred: !isStarred })
          }}
        >
          <Icon size={size === 'lg' ? 20 : 16} stroke={1.7} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {fault && <VisuallyHidden role="alert">{fault}</VisuallyHidden>}
    </>
  )
}
