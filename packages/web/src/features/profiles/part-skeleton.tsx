import { Skeleton } from '@mantine/core'
import classes from './profiles.module.css'

export const PartSkeleton = () => (
  <div role="status" aria-label="Carregando o perfil" className={`${classes.section} ${classes.skeleton}`}>
    <Skeleton height={36} />
    {[52, 64, 44].map((width) => (
      <Skeleton key={width} height={22} width={`${width}%`} />
    ))}
  </div>
)
