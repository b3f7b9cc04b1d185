import { Stack } from '@mantine/core'
import shared from '../../ui/shared.module.css'
import classes from './viewer-skeleton.module.css'

/** The outline of a report: a row of figures, two charts, the page tabs. */
export const ViewerSkeleton = () => (
  <div className={`${shared.stackMd} ${classes.skeleton}`} aria-hidden>
    <div className={classes.figures}>
      {['a', 'b', 'c', 'd'].map((key) => (
        <Stack key={key} gap="sm" px="1.25rem" py="md" className={shared.surface}>
          <span className={classes.label} />
          <span className={classes.number} />
        </Stack>
      ))}
    </div>
    <div className={classes.charts}>
      <Chart heights={[42, 58, 50, 71, 64, 82, 76, 93, 85]} />
      <Chart heights={[90, 66, 51, 34]} />
    </div>
    <div className={classes.tabs}>
      <span />
      <span />
      <span />
    </div>
  </div>
)

const Chart = ({ heights }: { heights: number[] }) => (
  <Stack gap="sm" px="1.25rem" py="md" className={shared.surface}>
    <span className={classes.label} />
    <svg className={classes.bars} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      {heights.map((height, index) => {
        const width = 100 / heights.length
        return (
          <rect key={height} x={(index + 0.2) * width} y={100 - height} width={width * 0.6} height={height} />
        )
      })}
    </svg>
  </Stack>
)
