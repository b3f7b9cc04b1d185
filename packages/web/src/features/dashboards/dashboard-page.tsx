import { Button } from '@mantine/core'
import { IconChartDots } from '@tabler/icons-react'
import { Link, useLocation } from 'react-router'
import { dashboards } from '../../lib/dashboards.ts'
import { HOME } from '../../lib/destination.ts'
import { PageMessage } from '../../ui/page-message.tsx'

/** A page of 'BI Saúde' to which no report is bound. */
export const DashboardPage = () => {
  const { pathname } = useLocation()
  return (
    <PageMessage
      icon={IconChartDots}
      heading={dashboards.find(({ path }) => path === pathname)?.title ?? 'BI Saúde'}
      actions={
        <Button variant="default" component={Link} to={HOME}>
          Voltar ao início
        </Button>
      }
    >
      Informações do BI
    </PageMessage>
  )
}
