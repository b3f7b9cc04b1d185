export { LazyPanel } from './panel/lazy-panel.tsx'
export { PanelButton } from './panel/panel-button.tsx'
export { useClinicalPanel } from './panel/panel-state.ts'
export { PointBeneficiariesButton } from './point-beneficiaries/point-beneficiaries-button.tsx'
