import type { Favorite } from '@bi-manager/contract'
import '@mantine/core/styles/Menu.layer.css'
import { ActionIcon, Menu, Text, VisuallyHidden } from '@mantine/core'
import { IconDotsVertical } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { messageOf } from '../../lib/api/api.ts'
import classes from './favorite-list.module.css'
import { moveItem, useFavoriteOrder, useStar } from './favorites.ts'

interface FavoriteListProps {
  favorites: Favorite[]
  /** Id of the element that labels the list. */
  labelledBy: string
  className?: string | undefined
  renderLink: (favorite: Favorite) => ReactNode
}

/** Lists favourites, reordered by dragging or with 'Mover para cima' and 'Mover para baixo'. */
export const FavoriteList = (props: FavoriteListProps) => {
  const { favorites, labelledBy, className = '', renderLink } = props
  const order = useFavoriteOrder()
  const star = useStar()
  const [dragged, setDragged] = useState<number>()
  const [over, setOver] = useState<number>()
  const [said, setSaid] = useState('')
  const listId = useId()
  // The browser drops the focus of an element that it moves.
  const refocus = useRef<number>(undefined)
  useEffect(() => {
    if (refocus.current === undefined || favorites.length === 0) return
    document.getElementById(`${listId}-${refocus.current}`)?.focus()
    refocus.current = undefined
  }, [favorites, listId])

  const move = (from: number, to: number) => {
    const favorite = favorites[from]
    if (!favorite || from === to) return
    order.mutate(moveItem(favorites, from, to))
    setSaid(`${favorite.nomeRelatorio}: posição ${to + 1} de ${favorites.length}.`)
  }
  const endDrag = () => {
    setDragged(undefined)
    setOver(undefined)
  }
  const dragOver = (event: DragEvent, index: number) => {
    if (dragged === undefined) return
    event.preventDefault()
    setOver(index)
  }
  const error = order.error ?? star.error

  return (
    <>
      <ul className={className} aria-labelledby={labelledBy}>
        {favorites.map((favorite, index) => {
          const { idRelatorio, nomeRelatorio } = favorite
          const moveBy = (by: 1 | -1) => {
            refocus.current = idRelatorio
            move(index, index + by)
          }
          return (
            <li
              key={idRelatorio}
              className={classes.item}
              draggable={favorites.length > 1}
              data-dragged={dragged === index || undefined}
              data-over={(over === index && dragged !== index) || undefined}
              onDragStart={(event) => {
                // Firefox starts a drag only when it carries data.
                event.dataTransfer.setData('text/plain', nomeRelatorio)
                event.dataTransfer.effectAllowed = 'move'
                setDragged(index)
              }}
              onDragOver={(event) => dragOver(event, index)}
              onDrop={(event) => {
                event.preventDefault()
                if (dragged !== undefined) move(dragged, index)
                endDrag()
              }}
              onDragEnd={endDrag}
            >
              {renderLink(favorite)}
              <Menu position="bottom-end" shadow="md" returnFocus withInitialFocusPlaceholder={false}>
                <Menu.Target>
                  <ActionIcon
                    id={`${listId}-${idRelatorio}`}
                    size="md"
                    className={classes.actions}
                    aria-label={`Organizar ${nomeRelatorio}`}
                  >
                    <IconDotsVertical size={17} aria-hidden />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item disabled={index === 0} onClick={() => moveBy(-1)}>
                    Mover para cima
                  </Menu.Item>
                  <Menu.Item disabled={index === favorites.length - 1} onClick={() => moveBy(1)}>
                    Mover para baixo
                  </Menu.Item>
                  <Menu.Item onClick={() => star.mutate({ id: idRelatorio, isStarred: false })}>
                    Tirar dos favoritos
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            </li>
          )
        })}
      </ul>
      {error && (
        <Text fz="xs" mt={8} role="alert">
          {messageOf(error)}
        </Text>
      )}
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </>
  )
}
