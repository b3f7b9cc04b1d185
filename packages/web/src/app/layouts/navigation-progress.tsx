import { useNavigation } from 'react-router'
import classes from './navigation-progress.module.css'

export const NavigationProgress = () => {
  const loading = useNavigation().state === 'loading'
  return (
    <div role="progressbar" aria-label="Abrindo página" hidden={!loading} className={classes.track}>
      <div className={classes.bar} />
    </div>
  )
}
