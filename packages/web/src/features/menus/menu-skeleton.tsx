import { Skeleton } from '@mantine/core'
import classes from './report-menu.module.css'

export const MenuSkeleton = ({ label }: { label: string }) => (
  <div className={classes.skeleton} role="status" aria-label={label}>
    {[70, 55, 80, 62].map((width) => (
      <Skeleton key={width} height={18} width={`${width}%`} radius="sm" />
    ))}
  </div>
)
