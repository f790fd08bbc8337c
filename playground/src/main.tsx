import { render } from 'preact';
import { App } from './app.tsx';
import { loadStart } from './start.ts';

const place = document.querySelector('#app');
const start = await loadStart();
if (place !== null) render(<App start={start} />, place);
