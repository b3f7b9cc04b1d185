import type { PageRoute } from '@bi-manager/contract'
import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { messageOf } from '../../lib/api/api.ts'
import { InlineMessage } from '../../ui/inline-message.tsx'
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
          heading={<h3 className={classes.heading}>{nomeRelatorio}</h3>}
        />
      </NearScreen>
    )
  }
  if (page || !error) return null
  return (
    <InlineMessage
      alert
      icon={IconAlertTriangle}
      action={
        <Button variant="default" size="xs" loading={isFetching} onClick={() => refetch()}>
          Tentar novamente
        </Button>
      }
    >
      {messageOf(error)}
    </InlineMessage>
  )
}

const NearScreen = ({ children }: { children: ReactNode }) => {
  const frame = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (!frame.current) return
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: '300px',
    })
    watch.observe(frame.current)
    return () => watch.disconnect()
  }, [])
  return (
    <div ref={frame} className={classes.frame}>
      {isNear && children}
    </div>
  )
}
