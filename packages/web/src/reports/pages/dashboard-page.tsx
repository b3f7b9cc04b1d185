import { pageTitles } from '@bi-manager/contract'
import { Skeleton, Stack } from '@mantine/core'
import { IconAlertTriangle, IconChartDots } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '../../lib/api/api.ts'
import type { DashboardRoute } from '../../lib/navigation/dashboards.ts'
import { HOME } from '../../lib/navigation/destination.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { PageMessage } from '../../ui/page/page-message.tsx'
import shared from '../../ui/shared.module.css'
import type { Embed } from './bound-report.ts'
import { boundPageQuery } from './pages-queries.ts'
import { useBinding } from './use-binding.tsx'

interface DashboardPageProps {
  rota: DashboardRoute
  Embed: Embed
}

/** A page of 'BI Saúde': its bound report, or only its title when the user has none to view. */
export const DashboardPage = ({ rota, Embed }: DashboardPageProps) => {
  const title = pageTitles[rota]
  const { data: page, error, refetch, isFetching } = useQuery(boundPageQuery(rota))
  const { button, dialog } = useBinding(rota, page?.relatorio)

  if (!page && !error) return <DashboardSkeleton title={title} />
  return (
    <>
      {page?.relatorio ? (
        <Embed
          isWholePage
          report={page.relatorio}
          label={title}
          heading={<Heading title={title} />}
          actions={button}
        />
      ) : page ? (
        <PageMessage
          icon={IconChartDots}
          heading={title}
          actions={
            <>
              {button}
              <BackHome />
            </>
          }
        >
          Informações do BI
        </PageMessage>
      ) : (
        <PageMessage
          icon={IconAlertTriangle}
          heading={title}
          actions={
            <>
              <Button loading={isFetching} onClick={() => refetch()}>
                Tentar novamente
              </Button>
              <BackHome />
            </>
          }
        >
          {messageOf(error)}
        </PageMessage>
      )}
      {dialog}
    </>
  )
}

const BackHome = (): ReactNode => <ActionButton label="Voltar ao início" to={HOME} />

const Heading = ({ title }: { title: string }) => (
  <>
    <h1 className={shared.heading}>{title}</h1>
    <p className={shared.smallNote}>Informações do BI</p>
  </>
)

/** Shown until it is known whether a report is bound. */
const DashboardSkeleton = ({ title }: { title: string }) => (
  <Stack flex={1} gap={0} p="0.625rem 1.25rem 1.25rem" role="status" aria-label={`Carregando ${title}`}>
    <h1 className={shared.heading}>{title}</h1>
    <Skeleton height={14} width="9rem" mt="xs" />
    <Skeleton flex={1} mih="14rem" mt="1.5rem" />
  </Stack>
)
