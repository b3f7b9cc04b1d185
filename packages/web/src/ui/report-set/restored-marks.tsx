import { RestoredNotice } from '../restored-notice.tsx'

/** Says that marks which were not saved came back. */
export const RestoredMarks = () => <RestoredNotice done="marcado" save="salve" />
