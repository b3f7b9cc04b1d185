import { pageTitles } from '@bi-manager/contract'
import { Button } from '@mantine/core'
import { IconAlertTriangle, IconChartDots } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { messageOf } from '../../lib/api/api.ts'
import type { DashboardRoute } from '../../lib/navigation/dashboards.ts'
import { HOME } from '../../lib/navigation/destination.ts'
import { PageMessage } from '../../ui/page/page-message.tsx'
import shared from '../../ui/shared.module.css'
import type { Embed } from './bound-report.ts'
import { DashboardSkeleton } from './dashboard-skeleton.tsx'
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

const BackHome = (): ReactNode => (
  <Button variant="default" component={Link} to={HOME}>
    Voltar ao início
  </Button>
)

const Heading = ({ title }: { title: string }) => (
  <>
    <h1 className={shared.heading}>{title}</h1>
    <p className={shared.smallNote}>Informações do BI</p>
  </>
)
