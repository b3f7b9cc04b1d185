import { Button } from '@mantine/core'
import { IconChartBarOff, IconLock } from '@tabler/icons-react'
import { Link } from 'react-router'
import { HOME } from '../../lib/destination.ts'
import { PageMessage } from '../../ui/page-message.tsx'
import type { ViewerProblem } from './embed-problem.ts'
import classes from './viewer-problem-page.module.css'

interface ViewerProblemPageProps {
  problem: ViewerProblem
  retry: () => void
}

/** Lies over the frame, where the report would be. */
export const ViewerProblemPage = ({ problem, retry }: ViewerProblemPageProps) => {
  const { title, detail, action, code } = problem
  return (
    <div className={classes.page} role="alert">
      <PageMessage
        level={2}
        icon={action === 'leave' ? IconLock : IconChartBarOff}
        heading={title}
        actions={
          <>
            <Button onClick={retry} variant={action === 'retry' ? 'filled' : 'default'}>
              Tentar novamente
            </Button>
            <Button component={Link} to={HOME} variant={action === 'retry' ? 'default' : 'filled'}>
              Ver meus relatórios
            </Button>
          </>
        }
      >
        {detail}
      </PageMessage>
      {code && <p className={classes.code}>Código: {code}</p>}
    </div>
  )
}
