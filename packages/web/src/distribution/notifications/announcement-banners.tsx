import { ApiProblem, announcementsApi, type ShownAnnouncement } from '@bi-manager/contract'
import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { call, messageOf } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { serverNow } from '../../lib/clock/server-clock.ts'
import { AnnouncementBanner, isLong } from '../../ui/announcement/announcement-banner.tsx'
import { Button } from '../../ui/button.tsx'
import { focusPageHeading } from '../../ui/page-focus.ts'
import { useNow } from '../../ui/use-now.ts'
import classes from './announcements.module.css'
import { bannersQuery, unreadQuery } from './notifications-queries.ts'

/** Banners shown at first; the others follow on request. */
const FIRST = 2

/**
 * The unread announcements below the top bar: of maintenance first, then the newest. The bell's
 * call brings them.
 */
export const AnnouncementBanners = () => {
  const { data = [] } = useQuery(bannersQuery)
  const [showsAll, setShowsAll] = useState(false)
  const place = useRef<HTMLElement>(null)
  const outer = useRef<HTMLDivElement>(null)
  // A banner ends by itself.
  useNow()
  const current = data.filter(({ fim }) => Date.parse(fim) > serverNow())
  const shown = showsAll ? current : current.slice(0, FIRST)
  const more = current.length - shown.length
  useLayoutEffect(() => publishHeight(outer.current), [])
  return (
    <div role="status" ref={outer} className={classes.place}>
      {shown.length > 0 && (
        <section aria-label="Avisos" ref={place}>
          {shown.map((announcement) => (
            <Banner
              key={announcement.idAviso}
              announcement={announcement}
              onClosed={() => focusNext(place.current)}
            />
          ))}
          {more > 0 && (
            <Button
              variant="subtle"
              size="compact-sm"
              className={classes.more}
              onClick={() => setShowsAll(true)}
            >
              {more === 1 ? 'Mostrar mais um aviso' : `Mostrar mais ${more} avisos`}
            </Button>
          )}
        </section>
      )}
    </div>
  )
}

interface BannerProps {
  announcement: ShownAnnouncement
  onClosed: () => void
}

const Banner = ({ announcement: { idAviso, titulo, texto, manutencao }, onClosed }: BannerProps) => {
  const client = useQueryClient()
  const close = () => {
    client.setQueryData(
      unreadQuery.queryKey,
      (summary) => summary && { ...summary, avisos: summary.avisos.filter((one) => one.idAviso !== idAviso) },
    )
    // Once the next banner has taken the place of this one.
    setTimeout(onClosed, 0)
  }
  const closing = useExclusiveMutation({
    mutationFn: () => call(announcementsApi.markRead, { params: { id: idAviso } }),
    onSuccess: close,
    // It has ended, or was deleted.
    onError: (error) => error instanceof ApiProblem && error.status === 404 && close(),
  })
  return (
    <AnnouncementBanner
      titulo={titulo}
      texto={texto}
      manutencao={manutencao}
      isCut={isLong(texto)}
      action={
        <ActionIcon
          variant="subtle"
          color="inherit"
          size="lg"
          className={classes.close}
          aria-label={`Dispensar o aviso: ${titulo}`}
          loading={closing.isPending}
          onClick={() => closing.mutate()}
        >
          <IconX size={18} aria-hidden />
        </ActionIcon>
      }
    >
      {isLong(texto) && (
        <Link to={`/aviso/${idAviso}`} className={classes.whole}>
          Ler o aviso inteiro
        </Link>
      )}
      {closing.error && <p role="alert">{messageOf(closing.error)}</p>}
    </AnnouncementBanner>
  )
}

/** Keeps the height in a CSS variable: a report fills what the banners leave. */
const publishHeight = (element: HTMLElement | null) => {
  if (!element) return
  const { style } = document.documentElement
  const observer = new ResizeObserver(() =>
    style.setProperty('--banners-height', `${element.getBoundingClientRect().height}px`),
  )
  observer.observe(element)
  return () => {
    observer.disconnect()
    style.removeProperty('--banners-height')
  }
}

/** Focuses the next banner's button, or the page when there is none. */
const focusNext = (place: HTMLElement | null): void => {
  const button = place?.isConnected ? place.querySelector<HTMLElement>('button') : undefined
  if (button) button.focus()
  else focusPageHeading()
}
