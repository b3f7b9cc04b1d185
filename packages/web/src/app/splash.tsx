import { BrandMark } from '../ui/brand-mark.tsx'
import classes from './splash.module.css'

/** While the first page is on its way. */
export const Splash = () => (
  <div className={classes.splash} role="status" aria-label="Carregando o BI Manager">
    <BrandMark size={48} />
  </div>
)
