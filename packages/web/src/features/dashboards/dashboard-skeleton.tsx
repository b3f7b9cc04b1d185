import { Skeleton } from '@mantine/core'
import shared from '../../ui/shared.module.css'
import classes from './dashboard-page.module.css'

/** Shown until it is known whether a report is bound. */
export const DashboardSkeleton = ({ title }: { title: string }) => (
  <div className={classes.skeleton} role="status" aria-label={`Carregando ${title}`}>
    <h1 className={shared.heading}>{title}</h1>
    <Skeleton height={14} width="9rem" mt="xs" />
    <Skeleton className={classes.stage} />
  </div>
)
