import { tearDown } from "./teardown";

export default tearDown;
