import classes from './viewer-toolbar.module.css'

/** The page's title, small, above the report's name. */
export const ViewerNames = ({ title, nomeRelatorio }: { title: string; nomeRelatorio: string }) => (
  <>
    <h1 className={classes.title}>{title}</h1>
    {/* Reserves the line, so that nothing moves when the name arrives. */}
    <p className={classes.report}>{nomeRelatorio || '\u00a0'}</p>
  </>
)
