import type { PageRoute } from '@bi-manager/contract'
import { Title } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import shared from '../../ui/shared.module.css'
import type { Embed } from './bound-report.ts'
import classes from './bound-section.module.css'
import { boundPageQuery } from './pages-queries.ts'
import { useBinding } from './use-binding.tsx'

/** The button that binds a report to a section of a page, with its dialog. */
export const SectionBinding = ({ rota }: { rota: PageRoute }) => {
  const { data: page } = useQuery(boundPageQuery(rota))
  const { button, dialog } = useBinding(rota, page?.relatorio)
  return (
    <>
      {button}
      {dialog}
    </>
  )
}

/**
 * The report bound to a section of a page, loaded when it is scrolled near; null when none is
 * bound.
 */
export const BoundSection = ({ rota, Embed }: { rota: PageRoute; Embed: Embed }) => {
  const { data: page, error, refetch, isFetching } = useQuery(boundPageQuery(rota))
  if (page?.relatorio) {
    const { nomeRelatorio } = page.relatorio
    return (
      <NearScreen>
        <Embed
          report={page.relatorio}
          label={`Relatório ${nomeRelatorio}`}
          heading={<Title order={3}>{nomeRelatorio}</Title>}
        />
      </NearScreen>
    )
  }
  if (page || !error) return null
  return <ListFailure size="xs" error={error} isFetching={isFetching} onRetry={() => void refetch()} />
}

/** Renders its children once they are scrolled near the screen, and from then on. */
const NearScreen = ({ children }: { children: ReactNode }) => {
  const { ref, entry } = useIntersection({ rootMargin: '300px' })
  const [isNear, setNear] = useState(false)
  if (entry?.isIntersecting && !isNear) setNear(true)
  return (
    <div ref={ref} className={`${shared.surface} ${classes.frame}`}>
      {isNear && children}
    </div>
  )
}
