import { Button } from '@mantine/core'
import { IconChartBarOff, IconLock } from '@tabler/icons-react'
import { Link } from 'react-router'
import { HOME } from '../../lib/destination.ts'
import type { ViewerProblem } from './embed-problem.ts'
import classes from './viewer-problem-page.module.css'

interface ViewerProblemPageProps {
  problem: ViewerProblem
  retry: () => void
}

export const ViewerProblemPage = ({ problem, retry }: ViewerProblemPageProps) => {
  const { title, detail, action, code } = problem
  const IconOf = action === 'leave' ? IconLock : IconChartBarOff
  return (
    <div className={classes.page} role="alert">
      <span className={classes.icon}>
        <IconOf size={28} stroke={1.6} aria-hidden />
      </span>
      <h2 className={classes.title}>{title}</h2>
      <p className={classes.detail}>{detail}</p>
      <div className={classes.actions}>
        <Button onClick={retry} variant={action === 'retry' ? 'filled' : 'default'}>
          Tentar novamente
        </Button>
        <Button component={Link} to={HOME} variant={action === 'retry' ? 'default' : 'filled'}>
          Ver meus relatórios
        </Button>
      </div>
      {code && <p className={classes.code}>Código: {code}</p>}
    </div>
  )
}
