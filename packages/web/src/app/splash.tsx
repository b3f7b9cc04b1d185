import { BrandMark } from '../ui/brand-mark.tsx'
import classes from './splash.module.css'

/** Shown while the first page loads. */
export const Splash = () => (
  <div className={classes.splash} role="status" aria-label="Carregando o BI Manager">
    <BrandMark size={48} />
  </div>
)
