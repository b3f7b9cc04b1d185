import { Skeleton } from '@mantine/core'
import classes from './dashboard-page.module.css'

/** While it is not known yet whether a report comes: the name, and the shape of both. */
export const DashboardSkeleton = ({ title }: { title: string }) => (
  <div className={classes.skeleton} role="status" aria-label={`Carregando ${title}`}>
    <h1 className={classes.title}>{title}</h1>
    <Skeleton height={14} width="9rem" mt="xs" />
    <Skeleton className={classes.stage} />
  </div>
)
