import { brandName } from '../../lib/text/brand.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import classes from './brand-pane.module.css'
import illustration from './illustration.svg'

/** The product's presentation next to the sign-in form; on a phone a band above it. */
export const BrandPane = () => (
  <section aria-label="Apresentação" className={classes.pane}>
    <p className={classes.brand} aria-hidden="true">
      <BrandMark size={32} />
      <span>{brandName}</span>
    </p>
    <div className={classes.content}>
      <img src={illustration} alt="" width={560} height={380} className={classes.illustration} />
      <p className={classes.promise}>Os números da sua operação, claros e no mesmo lugar.</p>
      <p className={classes.detail}>
        Relatórios gerenciais sempre à mão, no computador ou no celular, e cada pessoa vê só o que lhe foi
        liberado.
      </p>
    </div>
  </section>
)
