// What else is chosen in the composer.
export { AgentPicker } from './agent-picker.tsx'
export { ModelPicker } from './model-picker.tsx'
