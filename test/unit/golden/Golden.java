import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageUtil;

/**
 * Makes the golden bytes of messages.txt with Kafka's own classes: reads lines "message version json" and prints
 * "message version json hex".
 */
public class Golden {
    public static void main(String[] args) throws Exception {
        ObjectMapper mapper = new ObjectMapper();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            short version = Short.parseShort(words[1]);
            Class<?> converter = Class.forName("org.apache.kafka.common.message." + words[0] + "DataJsonConverter");
            Message message = (Message) converter.getMethod("read", JsonNode.class, short.class)
                .invoke(null, mapper.readTree(words[2]), version);
            ByteBuffer buffer = MessageUtil.toByteBufferAccessor(message, version).buffer();
            StringBuilder hex = new StringBuilder();
            while (buffer.hasRemaining())
                hex.append(String.format("%02x", buffer.get() & 0xff));
            System.out.println(line + " " + (hex.length() == 0 ? "-" : hex));
        }
    }
}
